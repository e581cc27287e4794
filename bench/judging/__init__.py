"""The judge's parts: pure functions over texts with offsets, from a written form to findings.

Modules, each importing only earlier ones:

folding      one written form for what counts as the same letters
lexicon      the words of a language that carry rules, and telling languages apart
tokens       words, numbers and n-grams with offsets
envelope     the JSON object of claims that some answerers use
markup       Markdown and citation markers taken out, with a map back
sentences    an answer cut into claims
units        units, currencies and periods
numerals     what a written number can mean
moments      dates and clock times
quantities   numbers with unit and period, and their comparison
evidence     a source made ready; windows and alignment
specifics    names, numbers and words a source may lack
polarity     negation, exclusivity, bounds, opposites
quotations   quotations checked against texts
support      measures of a claim and the fitted score
assess       the verdict on one claim
answerkey    gold as a list of accepted answers
abstention   sentences that decline to answer
examination  from a case to all that the rules look at
nli          the optional entailment model
rules        what each rule asks
unsourced    the specifics of a whole answer
trace        the decision as plain data
"""
