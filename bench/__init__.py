"""Measurements of Cairn: reads corpora and built sites, starts other programs, never imports the builder.

Modules, each importing only earlier ones:

build       cost of building a site beside a bare Markdown loop
judging     the parts of the judge
judge_code  the code judge: labels, rules and their order
"""
