import { notifications } from '@mantine/notifications'
import { expect, it, vi } from 'vitest'
import { AppError } from '#lib/errors.ts'
import { adjustmentToasts } from './treasury.messages.ts'

it('says what is known of a failure', () => {
  const shown = vi.spyOn(notifications, 'show').mockReturnValue('toast')
  adjustmentToasts.refused(new AppError('23514', 'The balance cannot go below zero'))
  adjustmentToasts.refused(new AppError('XX000', ''))
  expect(shown.mock.calls.map(([{ title, message }]) => [title, message])).toEqual([
    ['Error', 'The balance cannot go below zero'],
    ['Error', 'Failed to adjust wallet'],
  ])
  shown.mockRestore()
})
