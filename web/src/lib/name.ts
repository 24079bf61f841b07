import { t } from '@lingui/core/macro'
import { AppError, NAME_WANTED, unwrap } from './errors.ts'
import { createQuestion } from './question.ts'
import { currentSession } from './session.ts'
import { read } from './supabase.ts'

const question = createQuestion<{ name: string }>()

/**
 * Runs an action that shows the person's name to others. If the name was only taken from the e-mail address, asks for a
 * name first.
 */
export async function withName<T>(action: () => Promise<T>): Promise<T> {
  const session = currentSession()
  // For a visitor, the action itself is refused.
  if (session.status !== 'signed-in') return action()
  const asked = read('user_profiles').select('display_name, name_unconfirmed').eq('user_id', session.user.id)
  const own = unwrap(await asked.maybeSingle())
  if (own?.name_unconfirmed !== false && !(await question.ask({ name: own?.display_name ?? '' })))
    throw new AppError(NAME_WANTED, t`Please add your name first.`)
  return action()
}

/** The action that is waiting for a name, live. */
export const useNameRequest = question.useOpen
