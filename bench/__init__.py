"""Measurements of Cairn: reads corpora and built sites, starts other programs, never imports the builder.

Modules, each importing only earlier ones:

squad         sets of questions in SQuAD format
metrics       figures of a ranking and of a gate
speed         milliseconds a question takes, bytes an index has
corpus        a large corpus made from a set
pages         a corpus of any number of pages
build         cost of building a site beside a bare Markdown loop and a generator
wire          bytes of a first answer on a built site
browser       the same milliseconds in Chromium
ranking       what a ranker is asked and answers
engines       search engines of others as rankers
grading       figures of a ranker on a set
residents     questions with typos, near ties quoted together
floors        few passages and the floor of a threshold
results       figures kept in a file
charts        static SVG
report        figures as an HTML page
retrieval     ranking and refusal, ours and others
crosslingual  questions in one language, passages in another
serving       a folder over http as a mirror serves it
webkit        WebKitGTK over WebDriver
visits        a browser with a fresh profile goes to a page and asks
variants      a site, stock Pyodide and Pagefind on the same pages
judging       the parts of the judge
judge_code    the code judge: labels, rules and their order
records       items, verdicts and labels, read from files
lexical       graders by words alone, to measure the judge against
agreement     agreement with people and its intervals
fit           the coefficients of the support score
near_miss     the model of strict mode, fitted and measured
judge_runs    streams of items judged in order
judge_eval    measured agreement on labelled sets
webpage       the frame of the pages of the judge and of the timeline
timeline      visits as a table and as bars
firstanswer   the time to the first answer
explain       one verdict for a reader
judge_charts  bars and a confusion matrix
judge_report  agreement as text, JSON and a page
timing        what judging costs
judge         the commands of the judge
"""
