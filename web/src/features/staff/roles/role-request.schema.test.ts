// Proves VALID 23
import { expect, it } from 'vitest'
import { roleRequestSchema } from './role-request.schema.ts'

const values = { name: 'Zo', email: 'zoe@potluck.example', reason: 'Ten chars!' }
const problemsOf = (changes: object) =>
  roleRequestSchema.safeParse({ ...values, ...changes }).error?.issues.map(({ message }) => message) ?? []

it('takes the shortest that will do, tidied', () => {
  expect(roleRequestSchema.parse({ ...values, name: ' Zo ', reason: ' Ten chars! ' })).toEqual(values)
})

it.each([
  [{ name: '' }, 'Name is required'],
  [{ name: ' Z ' }, 'Name is required'],
  [{ name: 'Z\u200b' }, 'Name is required'],
  [{ name: 'Z'.repeat(121) }, 'Name can be at most 120 characters'],
  [{ email: '' }, 'Valid email is required'],
  [{ email: 'zoe@potluck' }, 'Valid email is required'],
  [{ email: 'zoe.example' }, 'Valid email is required'],
  [{ email: 'zo e@potluck.example' }, 'Valid email is required'],
  [{ reason: '' }, 'Please provide a detailed reason for your request'],
  [{ reason: ' Nine char ' }, 'Please provide a detailed reason for your request'],
  [{ reason: 'Nine char\u200b' }, 'Please provide a detailed reason for your request'],
  [{ reason: 'x'.repeat(2001) }, 'The reason can be at most 2000 characters'],
])('refuses %j: %s', (changes, problem) => {
  expect(problemsOf(changes)).toContain(problem)
})
