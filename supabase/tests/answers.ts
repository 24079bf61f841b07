// Helpers for SQL results: one value, one column, or a refusal.
import type { Row } from '@potluck/server/db/database.ts'
import { expect } from 'vitest'
import { refusalOf } from './people.ts'

export { DENIED, denied, notFound, refusalOf, rule, taken } from './people.ts'

/** The first column of every row. */
export const columnOf = async <T = string>(rows: Promise<Row[]>): Promise<T[]> =>
  (await rows).map((row) => Object.values(row)[0] as T)

/** The first column of the first row. */
export const single = async <T = string>(rows: Promise<Row[]>): Promise<T> =>
  (await columnOf<T>(rows))[0] as T

/** Expects the statement to be refused with the refusal's code and, if given, its message. */
export async function expectRefusal(work: Promise<unknown>, refusal: { code: string; message?: string }) {
  expect(await refusalOf(work)).toMatchObject(refusal)
}
