/** The server cannot start, or not safely. The message tells the operator what to change, so nobody needs a stack trace. */
export class StartRefusal extends Error {}
