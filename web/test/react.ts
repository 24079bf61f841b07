// React as people get it. Without its checks for developers a screen's test takes a quarter less of the processor; the suite
// "screens with checks" opens every page with them. It has no `act`, by which the testing library waits for all that an
// event changes.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const due = new Set<() => void>()
/** Wraps a function that calls back later, so that `act` can call back at once. */
const hastened = (later: (work: () => void) => void) => (work: () => void) => {
  const turn = () => due.delete(turn) && work()
  due.add(turn)
  later(turn)
}
// React and its scheduler take these functions when they are loaded.
const { setImmediate, queueMicrotask } = globalThis
Object.assign(globalThis, {
  setImmediate: hastened(setImmediate),
  queueMicrotask: hastened(queueMicrotask),
})
const { flushSync }: typeof import('react-dom') = require('react-dom')
require('react-dom/client')
Object.assign(globalThis, { setImmediate, queueMicrotask })

const finish = () => {
  while (due.size > 0) for (const turn of due) turn()
}
const react: { act?: unknown } = require('react')
react.act ??= (callback: () => unknown) => {
  let result: unknown
  flushSync(() => {
    result = callback()
  })
  finish()
  return Promise.resolve(result).then((value) => {
    finish()
    return value
  })
}
