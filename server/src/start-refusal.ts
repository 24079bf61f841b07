/**
 * Thrown if the server cannot start, or not safely. The message tells the operator what to change, so no stack trace is
 * printed.
 */
export class StartRefusal extends Error {}
