import { useSyncExternalStore } from 'react'
import { PROOF_WANTED, toAppError } from './errors.ts'

/** A way to show that whoever is signed in is the person. */
export type ProofMethod = 'passkey' | 'totp' | 'password' | 'email'

/** An action that waits for whoever is signed in to show that it is them. */
export interface ProofRequest {
  /** Only these will do; without it, what the database names. */
  methods?: ProofMethod[] | undefined
  answer: (shown: boolean) => void
}

let request: ProofRequest | null = null
let asked: Promise<boolean> | null = null
const watchers = new Set<() => void>()

/**
 * Does something, and once more after the person has shown that it is them, where that is asked for. Fails with the
 * refusal when they would rather not.
 */
export async function withProof<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (problem) {
    const { code } = toAppError(problem)
    // What protects the account itself, the auth service gives to a session alone that has had the app's code.
    const methods: ProofMethod[] | undefined = code === 'insufficient_aal' ? ['totp'] : undefined
    if ((code !== PROOF_WANTED && !methods) || !(await ask(methods))) throw problem
    return action()
  }
}

/** One dialog for all who ask meanwhile. */
function ask(methods: ProofMethod[] | undefined): Promise<boolean> {
  asked ??= new Promise<boolean>((answer) => show({ methods, answer })).finally(() => {
    asked = null
    show(null)
  })
  return asked
}

function show(next: ProofRequest | null): void {
  request = next
  for (const watcher of watchers) watcher()
}

const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** What waits for a proof at this moment, live. */
export const useProofRequest = () =>
  useSyncExternalStore(
    watch,
    () => request,
    () => request,
  )
