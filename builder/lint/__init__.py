"""Everything a corpus can be told before it is published, each piece of advice by one rule.

A module imports only modules earlier in this list, and what stands before `lint` in the builder:

facts         what rules look at, and places in files
numbers       numbers of a text, in any digits and format
readability   published formulas, by language
wordings      rules about words of one document
upkeep        rules about dates, languages and settings
counterparts  rules about translations of one document
reach         rules about what questions find
asked         rules about the operator's questions
rules         all rules in order, and what they found together
formats       what was found as text, JSON, annotations
"""
