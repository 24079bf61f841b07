// Payments through the site for the screens.
import type { TestServer } from '@potluck/server/test/harness.ts'
import { afterAll } from 'vitest'
import { openTill } from '../../supabase/tests/till.ts'

/** Has the site take payments for as long as a test file takes; after it, it takes none, and its clock is right again. */
export async function borrowTill({ db }: TestServer): ReturnType<typeof openTill> {
  afterAll(async () => {
    await db.query('delete from private.payment_provider')
    await db.query(`update private.clock set ahead = '0'`)
  })
  return openTill(db)
}
