import { expect, it } from 'vitest'
import { leadsToPlan, toNotification, unreadCount, withRead } from './notification.ts'

const row = (id: string, more: object = {}) => ({
  id,
  type: 'success',
  title: 'Request Approved',
  message: 'You are in.',
  read: false,
  created_at: '2026-11-20T10:00:00Z',
  ...more,
})
const list = [toNotification(row('b')), toNotification(row('a', { read: true }))]

it('counts the notifications that are not read', () => {
  expect(unreadCount(list)).toBe(1)
  expect(unreadCount([])).toBe(0)
})

it('reads all when no ids are given, and only those given', () => {
  expect(unreadCount(withRead(list, null))).toBe(0)
  expect(unreadCount(withRead(list, ['a']))).toBe(1)
  expect(unreadCount(withRead(list, ['b']))).toBe(0)
})

it('keeps the kind, and shows one it does not know as info', () => {
  expect(toNotification(row('d', { type: 'warning' })).kind).toBe('warning')
  expect(toNotification(row('d', { type: 'parade' })).kind).toBe('info')
})

it.each([
  ['New Join Request', 'sub-1', true],
  ['Request Approved', 'sub-1', true],
  ['Request Rejected', 'sub-1', false],
  ['Request Approved', null, false],
])('says whether "%s" about plan %s can be opened: %s', (title, subscription_id, verdict) => {
  expect(leadsToPlan(toNotification(row('e', { title, subscription_id })))).toBe(verdict)
})
