import { PROOF_WANTED, toAppError } from './errors.ts'
import { createQuestion } from './question.ts'
import { rpc } from './supabase.ts'

/** A way for the signed-in person to prove that it is them. */
export type ProofMethod = 'passkey' | 'totp' | 'password' | 'email'

/** An action that waits for the signed-in person to prove that it is them. */
export interface ProofRequest {
  /** The only methods that will do; by default those the database names. */
  methods?: ProofMethod[] | undefined
  answer: (shown: boolean) => void
}

const question = createQuestion<Pick<ProofRequest, 'methods'>>()

/**
 * Does something. If the backend asks for proof first, gets it from the person and tries again; if they decline, fails
 * with the refusal.
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
 * Enrols something that proves who the person is, which takes a proof itself. Asked for first: Supabase's own auth service
 * cannot say that this is what it wants, and a passkey would have been made on the device by then.
 */
export const withProofToEnrol = <T>(enrol: () => Promise<T>): Promise<T> =>
  withProof(async () => {
    await rpc('require_recent_proof', {})
    return enrol()
  })

/** The action that waits for proof right now, live. */
export const useProofRequest = question.useOpen
