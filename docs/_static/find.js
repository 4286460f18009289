// The site's search: the ranking of src/bakeoff/cli/searching.py, whose index is in words.js. Its pages come first, and
// what Sphinx finds comes after them. A test compares the two rankings.
"use strict";

const bakeoffFind = (() => {
  const LIGATURES = { "×": "x", "’": "'", "‘": "'", "ł": "l", "ø": "o" };

  function singular(text) {
    const word = text.replaceAll("iz", "is");
    if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
    return word.length > 3 && word.endsWith("s") && !/(ss|us|is)$/.test(word) ? word.slice(0, -1) : word;
  }

  function folded(text) {
    const plain = text.toLowerCase().replace(/[×’‘łø]/g, (sign) => LIGATURES[sign]).normalize("NFKD");
    const bare = plain.replace(/\p{M}/gu, "").replace(/'s(?![\p{L}\p{N}_])|(?<=[a-z])_(?=\d(?![\p{L}\p{N}_]))/gu, "");
    const signed = bare.replace(/(?<![\p{L}\p{N}_])([a-z])\+(?![\p{L}\p{N}_])/gu, "$1plus"); // R+
    return (signed.match(/[a-z0-9α-ω]+/g) || []).map(singular);
  }

  function opened(data) {
    const stop = new Set(data.stop_words);
    const own = (words) => {
      const kept = words.filter((word) => !stop.has(word));
      return kept.length ? kept : words;
    };
    const vocabulary = new Map();
    const lengths = new Array(data.sections.length).fill(0);
    const words = new Map(Object.entries(data.words));
    for (const [word, places] of words) {
      vocabulary.set(word, new Set(places.filter((_, i) => i % 2 === 0)));
      for (let i = 0; i < places.length; i += 2) lengths[places[i]] += places[i + 1];
    }
    const phrases = data.phrases.map(([text, kind, section]) => {
      const all = text.split(" ");
      for (const word of all) {
        if (!vocabulary.has(word)) vocabulary.set(word, new Set());
        vocabulary.get(word).add(section);
      }
      return { compact: all.join(""), own: own(all), kind, section };
    });
    const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
    return { ...data, words, vocabulary, phrases, own, lengths: lengths.map((length) => length / mean) };
  }

  function spellings(index, word) {
    if (index.vocabulary.has(word) || word.length < 4) return new Set([word]);
    const least = Math.max(4, Math.floor((2 * word.length + 2) / 3) - 1);
    for (let length = word.length; length > least; length--) {
      const known = [...index.vocabulary.keys()].filter((each) => each.startsWith(word.slice(0, length)));
      if (known.length) return new Set(known);
    }
    return new Set([word]);
  }

  function rarity(index, ones) {
    const places = new Set();
    for (const one of ones) for (const place of index.vocabulary.get(one) || []) places.add(place);
    const n = index.sections.length;
    return places.size ? Math.log(1 + n / places.size) : 0.5 * Math.log(1 + n);
  }

  function match(word, ones, own) {
    if (own.includes(word)) return 1;
    return own.some((each) => ones.has(each) || (word.length > 3 && each.startsWith(word))) ? 0.7 : 0;
  }

  function likeness(phrase, compact, asked, total) {
    if (phrase.compact === compact) return 1;
    let [covered, shared] = [0, 0];
    for (const { word, ones, rare } of asked) {
      const matched = match(word, ones, phrase.own);
      covered += (rare * matched) / total;
      shared += matched;
    }
    return 0.75 * covered ** 2 * (0.4 + 0.6 * Math.min(1, shared / phrase.own.length));
  }

  function byText(index, asked, total) {
    const shares = new Map();
    for (const { ones, rare } of asked) {
      const counts = new Map();
      for (const one of ones) {
        const places = index.words.get(one) || [];
        for (let i = 0; i < places.length; i += 2) {
          counts.set(places[i], (counts.get(places[i]) || 0) + places[i + 1]);
        }
      }
      for (const [section, count] of counts) {
        const share = shares.get(section) || [0, 0];
        share[0] += (rare * count) / (count + 0.4 + 0.8 * index.lengths[section]) / total;
        share[1] += rare / total;
        shares.set(section, share);
      }
    }
    return new Map([...shares].map(([section, [weighed, covered]]) => [section, index.full_text * weighed * covered]));
  }

  const rounded = (score) => Math.round(score * 1e6) / 1e6;

  // The pages on some words, best first: {page, title, address, heading, score}.
  function found(index, text) {
    const every = folded(text);
    const asked = [...new Set(index.own(every))].map((word) => ({ word, ones: spellings(index, word) }));
    for (const each of asked) each.rare = rarity(index, each.ones);
    const total = asked.reduce((sum, each) => sum + each.rare, 0);
    const named = new Map();
    for (const phrase of asked.length ? index.phrases : []) {
      const score = index.kinds[phrase.kind] * likeness(phrase, every.join(""), asked, total);
      if (score > (named.get(phrase.section) || 0)) named.set(phrase.section, score);
    }
    const texts = byText(index, asked, total);
    const pages = new Map();
    for (const section of new Set([...named.keys(), ...texts.keys()])) {
      const hit = pages.get(index.sections[section][0]) || { name: 0, text: 0, both: -1 };
      const scores = [named.get(section) || 0, texts.get(section) || 0];
      const both = rounded(scores[0] + scores[1]);
      hit.name = Math.max(hit.name, scores[0]);
      hit.text = Math.max(hit.text, scores[1]);
      if (both > hit.both || (both === hit.both && section < hit.section)) Object.assign(hit, { both, section });
      pages.set(index.sections[section][0], hit);
    }
    const hits = [...pages].map(([page, hit]) => {
      const [name, title, weight] = index.pages[page];
      const [, heading, address] = index.sections[hit.section];
      return { page: name, title, heading, address, section: hit.section, score: weight * (hit.name + hit.text) };
    });
    return hits.sort((a, b) => rounded(b.score) - rounded(a.score) || a.section - b.section);
  }

  // In the results of Sphinx, which are shown from the last one on: [page, title, anchor, description, score, file, kind].
  function first(search, index, most) {
    const sphinx = search._performSearch;
    search._performSearch = (query, ...parsed) => {
      const others = sphinx(query, ...parsed);
      const hits = found(index, query);
      const best = hits.filter((hit) => hit.score > 0.15 * hits[0].score).slice(0, most);
      const shown = new Set(best.map((hit) => hit.page));
      const entries = best.map((hit) => {
        const [file, anchor] = hit.address.split("#");
        const heading = hit.heading.replaceAll("`", "");
        const title = heading ? `${hit.title} > ${heading}` : hit.title;
        return [hit.page, title, anchor ? `#${anchor}` : "", null, hit.score, file, "title"];
      });
      return [...others.filter((result) => !shown.has(result[0])), ...entries.reverse()];
    };
  }

  return { opened, found, folded, first };
})();

if (typeof module !== "undefined") module.exports = bakeoffFind;
else if (typeof Search !== "undefined" && typeof bakeoffWords !== "undefined") {
  bakeoffFind.first(Search, bakeoffFind.opened(bakeoffWords), 8);
}
