// Messages for another thread, sent together: waking it costs more than the message does.

/** @param {{ postMessage(messages: object[], moved: ArrayBuffer[]): void }} port */
export function createOutbox(port) {
  /** @type {object[]} */
  let messages = []
  /** @type {ArrayBuffer[]} */
  let moved = []
  function send() {
    if (messages.length === 0) return
    port.postMessage(messages, moved)
    messages = []
    moved = []
  }
  return {
    /**
     * Sends what was put in this turn of the event loop, at its end at the latest.
     * @param {object} message
     * @param {ArrayBuffer | null} [buffer] is moved
     */
    put: (message, buffer) => {
      if (messages.push(message) === 1) setImmediate(send)
      if (buffer) moved.push(buffer)
    },
    /** Sends them now. */
    send,
  }
}
