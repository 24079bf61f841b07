// Collects messages for another thread and sends them together, since waking the thread costs more than a message.

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
     * Queues a message, which is sent at the end of this turn of the event loop at the latest.
     * @param {object} message
     * @param {ArrayBuffer | null} [buffer] is transferred
     */
    put: (message, buffer) => {
      if (messages.push(message) === 1) setImmediate(send)
      if (buffer) moved.push(buffer)
    },
    send,
  }
}
