"""The builder: a corpus folder in, a static site out; the only part that knows Markdown, Jinja and the file
system.

Public are `build_index` and `load_config`. A module imports only modules earlier in this list:

problems     codes and places of what is wrong with a corpus
glyphs       which characters pages have a typeface for
characters   bytes to text, invisible characters
languages    what counts as a language code
urls         where each page of a site lives
settings     one TOML file, its values checked by type
kiosk        one public screen: its settings, the size of its type
near_miss    the model of strict mode
project      cairn.toml: the settings of a site
files        files of a corpus, found and read
glossary     the operator's glossaries, read and checked
frontmatter  the block before a document's text
markdown     the one parser; shortcodes
identity     which document a file is
document     one file as a document
corpus       a folder read into documents
anchors      anchors of passages and their ledger
links        links between documents
images       pictures of documents
inline       inline tokens as HTML and text
limits       sizes of a document; text the parser lost
blocks       block tokens as HTML and lines
sections     fields of the front matter as blocks
grouping     which blocks make one passage
translations  which translations are older than their source
passages     documents as passages and inner HTML
rendering    all documents of a corpus rendered
collation    the order of titles in a language
wording      what pages say in each language
keyboard     the on-screen keyboards of a kiosk
frame        the site model; what stands around every page
published    codes on paper and the site map, by the public address
sums         checksums of scripts, which pages take before they run them
lexicon      what stems mean in another language
calibrate    thresholds of one corpus, from questions it must refuse
thresholds   what calibrate found, in words
kept         what a build keeps for the next one
workers      where the work of a build is done
shelf        documents as a build keeps them
renewal      documents taken from the last build or made
statics      scripts, style sheets and images of every site
pages        the site model as HTML pages
drafts       the pages in order, with all each depends on
node         where Node and npm are
pyodide      Pyodide from its pinned package
bytecode     Python modules as bytecode for the browser
snapshot     the engine's memory once it has started
bundle       the engine's parts, which no corpus changes
payload      parts, manifest and build id as bytes
typefaces    the typefaces a site brings along, cut to its characters
sharding     large languages cut into files
packing      bytes packed for the way; siblings of files
signing      a manifest signed, a signature checked
indexing     the index, a language at a time
swap         one site folder replaced by another
questions    the questions an operator has asked of every build
candidates   refused questions of a kiosk, read in
translated   one translation recorded
writer       files written aside, hashed as written
check        the pages' check against links and index
making       pages taken from the last build or made
readsite     a built site read back, every hash checked
verify       a folder compared with its manifest
publish      a site copied to a stick or a mirror
assembly     the files of a site written and checked
site         the build from corpus to site in place
report       what was built or is wrong, in words
lint         everything a corpus can be told before it is published
compare      two states of a site, and what differs
differences  a comparison in words, JSON and one page
maintain     commands of the person who keeps a corpus
explain      an answer and its trace in words
watch        what a preview is built again for
preview      what a preview tells beside the pages
serve        the preview server
intake       files of other kinds as documents to review
scaffold     a new corpus to begin with
options      the words each command takes
cli          the command line
"""

from pathlib import Path

from builder.corpus import read
from builder.project import load_config, load_project
from builder.rendering import render_all
from cairn_core.index import Index, build_shard

__all__ = ["build_index", "load_config"]


def build_index(corpus_dir: Path) -> Index:
    """Return the index of a corpus folder, with the settings of its `cairn.toml` if there is one.

    Raises CorpusProblems with everything wrong in the corpus, ConfigError for its settings. Nothing is
    written.
    """
    rendering = render_all(read(load_project(corpus_dir)))
    return Index.of(build_shard(lang, passages) for lang, passages in rendering.passages.items())
