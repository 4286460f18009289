// Names as reports print them.

/** A name on one line, as reports print it. */
export const plain = (name) =>
  name
    .replace(/[\t\n\v\f\r\x85\u2028\u2029]/g, " ")
    .replace(/(?![\u200c\u200d])[\p{Cc}\p{Cs}\p{Cf}]/gu, "\ufffd");
