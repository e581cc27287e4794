"""The answering engine: it quotes the passage that answers a question, or refuses and names a human.

Standard library only, and nothing that tells CPython from Pyodide. A module imports only modules earlier in
this list:

errors      the exceptions, with message, hint and location kept apart
calibration  thresholds with a stated rate
text        words and terms of a text, in every script
analysis    words, stems and in-word grams of a text
nearmiss    how likely a passage only comes near the answer
glossary    what residents say, and the documents' words for it
urgent      help that is shown to whoever types one of its words
config      the settings of one site and its human contacts
language    directions, message catalogues, left-to-right runs
detection   the language a question is in
jsontext    JSON text, written one way and read warily
passage     documents as passages carry them, and passages
announced   what is known of a language whose shard is not there yet
fields      how often terms stand where, for the evidence scorer
spelling    misspelled words set right
evidence    the evidence scorer
lexicon     stems and their translations in another language
crosslingual  a question in one language against passages in another
siblings    which passages of two translations say the same
parts       files of a split shard, brought when a question needs them
shard       the postings of one language's passages, as canonical JSON
split       a shard whose postings and passages are brought
index       the shards of one site
retrieve    the candidates for a question, scored, with the trace of why
strictness  the near-miss model asked about a search
rewording   a question in the words of the documents
across      what is found across languages, as a trace
answer      the two outcomes, a quotation with sources or a refusal
engine      the one entry that answers a question
emphasis    which words and which sentence of a quotation stand out
forgetting  dropping what is remembered of earlier questions
reasons     why a question was answered or refused, in sentences
bridge      the engine as JSON text in, JSON text out
"""
