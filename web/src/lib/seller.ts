import { t } from '@lingui/core/macro'
import { AppError, SELLER_WANTED } from './errors.ts'
import { createQuestion } from './question.ts'
import { rpc } from './supabase.ts'

const question = createQuestion<object>()

/** Shares a plan. A person who has never said whether they share as a private person or a trader is asked first. */
export async function withSeller<T>(share: () => Promise<T>): Promise<T> {
  if ((await rpc('my_seller', {})) === null && !(await question.ask({})))
    throw new AppError(SELLER_WANTED, t`Please say first how you share.`)
  return share()
}

/** Returns the action that is waiting for the answer, and follows changes. */
export const useSellerRequest = question.useOpen
