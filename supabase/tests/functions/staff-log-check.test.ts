// That no line goes out of the log of staff unseen.
import { describe, expect, test } from 'vitest'
import { addPerson, addStaff, ownDatabase } from '../people.ts'

const { db, sql } = await ownDatabase()
const sofia = await addStaff(db, 'Sofia', 'super-admin')
for (const role of ['moderator', 'admin', 'moderator'])
  await sofia.sql`select assign_user_role(${(await addPerson(db, 'Zoe')).id}, ${role})`
const faults = () => sql`select line, fault from private.check_staff_log()`

describe('who goes behind that is found out', () => {
  const third = '(select line from private.staff_log order by line offset 2 limit 1)'
  const rewrite = `do $$ declare v private.staff_log; v_hash text := ''; begin
    for v in select * from private.staff_log order by line loop
      v.previous_hash := v_hash; v.details := '{"changed": true}'; v_hash := private.staff_log_hash(v);
      update private.staff_log set details = v.details, previous_hash = v.previous_hash, hash = v_hash where line = v.line;
    end loop; update private.staff_log_end set hash = v_hash; end $$`
  test.each([
    [
      'changes a line',
      `update private.staff_log set details = '{}' where line = ${third}`,
      'This line has been changed',
    ],
    [
      'changes who',
      `update private.staff_log set actor = null where line = (select max(line) from private.staff_log where actor is not null)`,
      'This line has been changed',
    ],
    [
      'removes a line',
      `delete from private.staff_log where line = ${third}`,
      'A line before this one is missing or another one',
    ],
    [
      'removes the first',
      'delete from private.staff_log where line = 1',
      'A line before this one is missing or another one',
    ],
    [
      'cuts off the last',
      'delete from private.staff_log where line = (select max(line) from private.staff_log)',
      'The log does not reach its last line, or goes on after it',
    ],
    [
      'empties it',
      'delete from private.staff_log',
      'The log does not reach its last line, or goes on after it',
    ],
    ['rewrites all of it', rewrite, 'hash mailed'],
  ])('who %s', async (_what, damage, fault) => {
    await sql`delete from private.staff_log_days`
    await sql`insert into private.staff_log_days select current_date, line, hash from private.staff_log_end`
    expect(await faults()).toEqual([])
    const found = db.transaction(async (tx) => {
      await tx.script(`alter table private.staff_log disable trigger keep; ${damage}`)
      throw await tx.query('select fault from private.check_staff_log()')
    })
    expect(await found.catch((rows: unknown) => rows)).toContainEqual({
      fault: expect.stringContaining(fault),
    })
  })
})
