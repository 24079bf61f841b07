// The Data API compared with hand-written SQL: the same question by the same person has the same answer, or the same
// refusal.
import { type Database, DatabaseError } from '@potluck/server/db/database.ts'
import fc from 'fast-check'
import { expect } from 'vitest'
import { openApi } from '../../../server/test/fuzz/api.ts'
import { fuzz } from '../../../server/test/fuzz/fuzz.ts'
import { addPerson } from '../people.ts'
import { anyQuestion, asRequest, asSql, type Question, totalSql } from './questions.ts'
import { readTables } from './tables.ts'

interface Claims extends Record<string, unknown> {
  role: string
}
type Reply = { rows: unknown; total: number } | { refused: string }

const PAST_THE_END = 'PGRST103'

/** Sends the Data API `runs` queries: as people with accounts, one of whom has no data, and as a visitor. */
export async function expectAlike(db: Database, runs: number): Promise<void> {
  await addPerson(db, 'Nina')
  const sessions = await db.query<{ sub: string; session_id: string }>(
    `insert into auth.sessions (user_id, amr) select id, '[]' from auth.users order by id returning id as session_id, user_id as sub`,
  )
  const amr = [{ method: 'totp', timestamp: Math.floor(Date.now() / 1_000) }]
  const people = sessions.map((session) => ({ role: 'authenticated', aal: 'aal2', amr, ...session }))
  const api = await openApi(db)
  let found = 0
  await fc.assert(
    fc.asyncProperty(
      anyQuestion(await readTables(db)),
      fc.constantFrom<Claims>(...people, { role: 'anon' }),
      async (question, claims) => {
        const expected = await byHand(db, claims, question)
        const answer = await throughApi(api, claims, question)
        if (isOneDenied(answer, expected) || isOneDenied(expected, answer)) return
        expect(answer, asRequest(question)).toEqual(expected)
        if ('total' in answer && answer.total > 0) found += 1
      },
    ),
    fuzz(runs),
  )
  expect(found).toBeGreaterThan(0)
}

// If Postgres knows beforehand that there is no row, it may skip checking permissions, depending on its query plan.
const isNothing = (reply: Reply) => ('refused' in reply ? reply.refused === PAST_THE_END : reply.total === 0)
const isDenied = (reply: Reply) => 'refused' in reply && reply.refused === '42501'
const isOneDenied = (one: Reply, other: Reply) => isDenied(one) && isNothing(other)

async function throughApi(
  api: Awaited<ReturnType<typeof openApi>>,
  claims: Claims,
  question: Question,
): Promise<Reply> {
  const address = `/${question.table.name}?${asRequest(question)}`
  const answer = await api(address, claims, { prefer: 'count=exact' })
  const body = await answer.json()
  if (answer.ok) return { rows: body, total: Number(answer.headers.get('content-range')?.split('/')[1]) }
  return { refused: body.code }
}

async function byHand(db: Database, claims: Claims, question: Question): Promise<Reply> {
  try {
    return await db.transaction(async (tx) => {
      await tx.query(`select set_config('request.jwt.claims', $1, true), set_config('role', $2, true)`, [
        JSON.stringify(claims),
        claims.role,
      ])
      const [answer] = await tx.query(
        `select coalesce(json_agg(answer), '[]') as rows, (${totalSql(question)}) as total from (${asSql(question)}) as answer`,
      )
      return pastTheEnd(question, answer as { rows: unknown; total: number })
    })
  } catch (error) {
    if (error instanceof DatabaseError) return { refused: error.code }
    throw error
  }
}

// A count with an offset behind the last row is refused, because there is no such page.
const pastTheEnd = ({ offset }: Question, answer: { rows: unknown; total: number }): Reply =>
  offset > answer.total ? { refused: PAST_THE_END } : answer
