/** Thrown if a command is invalid or cannot be carried out; the message tells the person who typed it why. */
export class Refusal extends Error {}
