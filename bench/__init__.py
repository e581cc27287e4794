"""Measurements of Cairn: reads corpora and built sites, starts other programs, never imports the builder.

Modules, each importing only earlier ones:

build      cost of building a site beside a bare Markdown loop
squad      sets of questions in SQuAD format
metrics    figures of a ranking and of a gate
speed      milliseconds a question takes
ranking    what a ranker is asked and answers
engines    search engines of others as rankers
grading    figures of a ranker on a set
results    figures kept in a file
charts     static SVG
report     figures as an HTML page
retrieval  ranking and refusal, ours and others
"""
