"""The answering engine: it quotes the passage that answers a question, or refuses and names a human.

Standard library only, and nothing that tells CPython from Pyodide. A module imports only modules earlier in
this list:

errors      the exceptions, with message, hint and location kept apart
calibration  thresholds with a stated rate
config      the settings of one site and its human contacts
text        words and terms of a text, in every script
language    directions, message catalogues, left-to-right runs
detection   the language a question is in
jsontext    JSON text, written one way and read warily
passage     documents as passages carry them, and passages
analysis    words, stems and in-word grams of a text
fields      how often terms stand where, for the evidence scorer
evidence    the evidence scorer
index       the postings of each language's passages: a shard, as canonical JSON
retrieve    the candidates for a question, scored, with the trace of why
answer      the two outcomes, a quotation with sources or a refusal
engine      the one entry that answers a question
bridge      the engine as JSON text in, JSON text out
"""
