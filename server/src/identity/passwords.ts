// Hashes passwords off the event loop, in Supabase Auth's format so that accounts can move, and lists the weaknesses of
// new passwords in Supabase Auth's words.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import limitConcurrency from 'p-limit'

/**
 * The longest password in bytes. bcrypt ignores further bytes, so longer passwords that begin alike would all match.
 */
export const LONGEST_PASSWORD = 72

const COST = 10
/**
 * Matches a hash that bcrypt can read. An account copied from elsewhere may have a hash of another kind, or an empty
 * one.
 */
const BCRYPT = /^\$2[abxy]\$(0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/
// The hash of a random password. An unknown address is checked against it, so that this takes as long as a wrong
// password.
const NOBODYS_HASH = '$2b$10$azdh.yCv.Nsx6BzQ6x5ToecRwBBmV9Rz/ho.weXMULBtAjNu.QeHa'

// Hashing may use all cores but one, so that other requests do not wait for sign-ins.
const inTurn = limitConcurrency(Math.max(1, availableParallelism() - 1))

export const hashPassword = (password: string): Promise<string> =>
  runBcrypt<string>('bcrypt', {
    password: bytesOf(password),
    salt: randomBytes(16),
    costFactor: COST,
    outputType: 'encoded',
  })

/** True if the password matches the stored hash. Takes the same time if there is no hash that bcrypt can read. */
export async function passwordMatches(password: string, stored: string | null | undefined): Promise<boolean> {
  const isKnown = stored != null && BCRYPT.test(stored)
  const matches = await runBcrypt<boolean>('bcryptVerify', {
    password: bytesOf(password),
    hash: isKnown ? stored : NOBODYS_HASH,
  })
  return matches && isKnown && password !== '' && Buffer.byteLength(password) <= LONGEST_PASSWORD
}

/** Returns the bytes that bcrypt reads; it needs at least one. */
const bytesOf = (password: string) => Buffer.from(password || '\0').subarray(0, LONGEST_PASSWORD)

// Hashing uses WebAssembly, so that one build runs on every platform; it takes as long as native code.
const THREAD = `
  const { parentPort, workerData } = require('node:worker_threads')
  const loaded = import(workerData)
  parentPort.on('message', ([name, options]) =>
    loaded.then((hashes) => hashes[name](options)).then(
      (done) => parentPort.postMessage({ done }),
      ({ message }) => parentPort.postMessage({ failed: message }),
    ))
`
const idle: Worker[] = []

/** Calls a function of hash-wasm in a thread. There are as many threads as calls that may run at the same time. */
const runBcrypt = <Done>(name: 'bcrypt' | 'bcryptVerify', options: object): Promise<Done> =>
  inTurn(async () => {
    const thread =
      idle.pop() ?? new Worker(THREAD, { eval: true, workerData: import.meta.resolve('hash-wasm') })
    // The process must not end before the answer, nor wait for idle threads.
    thread.ref()
    thread.postMessage([name, options])
    const [{ done, failed }] = await once(thread, 'message')
    thread.unref()
    idle.push(thread)
    if (failed !== undefined) throw new Error(failed)
    return done
  })

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
const DIGITS = '0123456789'
/** Supabase's symbols; a project may set fewer. */
export const SYMBOLS = '!@#$%^&*()_+-=[]{};\'\\:"|<>?,./`~'

const CHARACTER_SETS = {
  '': [],
  letters_digits: [LOWER + UPPER, DIGITS],
  lower_upper_letters_digits: [LOWER, UPPER, DIGITS],
  lower_upper_letters_digits_symbols: [LOWER, UPPER, DIGITS, SYMBOLS],
} as const

export type CharacterRule = keyof typeof CHARACTER_SETS
export const CHARACTER_RULES = Object.keys(CHARACTER_SETS) as [CharacterRule, ...CharacterRule[]]

export interface PasswordRules {
  /** In bytes of UTF-8. */
  minimumLength: number
  characters: CharacterRule
  symbols: string
}

export interface Weakness {
  message: string
  reasons: ('length' | 'characters')[]
}

/** Returns the password's weaknesses under the rules, or null. */
export function findWeakness(password: string, rules: PasswordRules): Weakness | null {
  const messages: string[] = []
  const reasons: Weakness['reasons'] = []
  if (Buffer.byteLength(password) < rules.minimumLength) {
    reasons.push('length')
    messages.push(`Password should be at least ${rules.minimumLength} characters.`)
  }
  const sets = CHARACTER_SETS[rules.characters].map((set) => (set === SYMBOLS ? rules.symbols : set))
  if (!sets.every((set) => [...password].some((character) => set.includes(character)))) {
    reasons.push('characters')
    messages.push(`Password should contain at least one character of each: ${sets.join(', ')}.`)
  }
  return reasons.length > 0 ? { message: messages.join(' '), reasons } : null
}
