import { toAppError } from './errors.ts'
import { createQuestion } from './question.ts'

const question = createQuestion<object>()

/**
 * Runs an action that needs full age. If the database refuses it because the person has never confirmed theirs, asks
 * them and tries again; if they decline, throws the refusal.
 */
export async function withAge<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (problem) {
    if (toAppError(problem).refusal !== 'age_not_confirmed' || !(await question.ask({}))) throw problem
    return action()
  }
}

/** Returns the action that is waiting for the confirmation, and follows changes. */
export const useAgeRequest = question.useOpen
