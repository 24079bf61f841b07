// Payments through the site for the screens.
import type { TestServer } from '@potluck/server/test/harness.ts'
import { afterAll } from 'vitest'
import { openTill } from '../../supabase/tests/till.ts'

/** Lets the site take payments until the end of the test file; then stops that and resets the site's clock. */
export async function borrowTill({ db }: TestServer): ReturnType<typeof openTill> {
  afterAll(async () => {
    await db.query('delete from private.payment_provider')
    await db.query(`update private.clock set ahead = '0'`)
  })
  return openTill(db)
}
