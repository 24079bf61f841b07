/** Thrown if a command cannot be carried out or is invalid; the message explains why to the person who typed it. */
export class Refusal extends Error {}
