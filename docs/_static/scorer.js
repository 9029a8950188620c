// Search results: tutorials and guides first, then the reference, then records of decisions.
const FIRST = /^(start|command|python|guides|coming_from)\//;
const LAST = /^(adr\/|decisions|changelog)/;
const LISTS = /^start\/features/; // has the name of everything, and explains little of it

// `var`, since the tools of the search declare it again.
var Scorer = {
  score: ([page, , , kind, score]) =>
    score + (FIRST.test(page) ? 100 : 0) - (LAST.test(page) ? 10 : 0) - (LISTS.test(page) ? 50 : 0) -
    (/parameter/.test(kind ?? "") ? 20 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 25,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
