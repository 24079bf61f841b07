// What the response to a failed request says.
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { DatabaseError } from '#db/database.ts'
import { reportFailure } from './failure.ts'

const told = (code: string) => {
  const error = new DatabaseError({ code, message: 'of auth.users', hint: 'a hint' })
  return reportFailure(error, { method: 'GET', path: '/user' }, pino({ enabled: false }))
}

test('a database that is away says so, and any other of its errors reveals nothing', () => {
  expect(told('57014')).toMatchObject({
    status: 503,
    body: { code: '57014' },
    headers: { 'Retry-After': '1' },
  })
  const { status, body } = told('23505')
  expect([status, JSON.stringify(body)]).toEqual([500, expect.not.stringMatching(/auth|hint"?:"/)])
})
