// Text of a process inside a notice; the rule is one for all that speak to models.
export { quoteLines, quoteWord } from "../../protocol/quoted-text.ts";
