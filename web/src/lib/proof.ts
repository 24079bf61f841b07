import { PROOF_WANTED, toAppError } from './errors.ts'
import { createQuestion } from './question.ts'
import { rpc } from './supabase.ts'

/** A method with which the signed-in person proves their identity. */
export type ProofMethod = 'passkey' | 'totp' | 'password' | 'email'

/** An action that is waiting for proof of the signed-in person's identity. */
export interface ProofRequest {
  /** The only accepted methods; by default those that the database names. */
  methods?: ProofMethod[] | undefined
  answer: (shown: boolean) => void
}

const question = createQuestion<Pick<ProofRequest, 'methods'>>()

/**
 * Runs an action. If the backend requires proof, asks the person for it and tries again; if the person declines, throws
 * the refusal.
 */
export async function withProof<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (problem) {
    const { code } = toAppError(problem)
    // For changes to sign-in itself, the auth service accepts only the authenticator app's code.
    const methods: ProofMethod[] | undefined = code === 'insufficient_aal' ? ['totp'] : undefined
    if ((code !== PROOF_WANTED && !methods) || !(await question.ask({ methods }))) throw problem
    return action()
  }
}

/**
 * Enrols a new factor, which requires proof too. Asks for the proof first: Supabase's own auth service does not report
 * that it requires proof, and would refuse only after the device has created a passkey.
 */
export const withProofToEnrol = <T>(enrol: () => Promise<T>): Promise<T> =>
  withProof(async () => {
    await rpc('require_recent_proof', {})
    return enrol()
  })

/** Returns the action that is waiting for proof, and follows changes. */
export const useProofRequest = question.useOpen
