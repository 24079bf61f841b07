import { expect, it } from 'vitest'
import { isStrongPassword, passwordStrength } from './password-strength.ts'

it.each([
  ['Sunny-Day1!', true],
  ['Short1!', false],
  ['alllowercase1!', false],
  ['ALLUPPERCASE1!', false],
  ['NoNumber!', false],
  ['NoSpecial1', false],
  ['OnlyDash-1', false],
  ['', false],
])('judges "%s" as strong: %s', (password, verdict) => {
  expect(isStrongPassword(password)).toBe(verdict)
})

it('marks each of the five rules on its own', () => {
  expect(passwordStrength('abc1').map(({ met }) => met)).toEqual([false, false, true, true, false])
})

it.each([...'!@#$%^&*(),.?":{}|<>'])('counts %s as a special character', (character) => {
  expect(passwordStrength(character)[4]?.met).toBe(true)
})
