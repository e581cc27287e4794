"""Bringing content in: files of other kinds as Markdown that a person reviews.

What a file loses on the way is said in the Markdown, at its place, in a note that stops a build until
somebody has looked and deleted it. Needs the libraries of the extra `import`. A module imports only modules
earlier in this list:

notes      what was lost, and where it is said
source     what a reader makes of a file
furniture  what stands around the text of a web page
tables     tables as Markdown can write them
tree       an HTML tree with only what Markdown can say
writing    a tree as Markdown, compared with it word for word
webpage    HTML read into a tree
word       DOCX read into a tree
lines      the words of a PDF page as lines
pdf        PDF read into a tree
plain      plain text read into a tree
files      files in, reviewable documents out
"""
