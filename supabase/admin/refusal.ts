/** What was asked cannot be done, or is not as it should be; the message says why, in words for whoever typed it. */
export class Refusal extends Error {}
