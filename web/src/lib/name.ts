import { NAME_WANTED, toAppError } from './errors.ts'
import { createQuestion } from './question.ts'

const question = createQuestion<object>()

/** Does something. If others would see the person, who has no name yet, asks for one first and then goes on. */
export async function withName<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (problem) {
    if (toAppError(problem).code !== NAME_WANTED || !(await question.ask({}))) throw problem
    return action()
  }
}

/** The action that waits for a name right now, live. */
export const useNameRequest = question.useOpen
