import { notifications } from '@mantine/notifications'
import { expect, it, vi } from 'vitest'
import { AppError } from '#lib/errors.ts'
import { payoutToasts } from './payouts.messages.ts'

it('says what is known of a failure', () => {
  const shown = vi.spyOn(notifications, 'show').mockReturnValue('toast')
  payoutToasts.refused(new AppError('23514', 'A completed withdrawal cannot become completed'))
  payoutToasts.refused(new AppError('XX000', ''))
  expect(shown.mock.calls.map(([{ title, message }]) => [title, message])).toEqual([
    ['Error', 'A completed withdrawal cannot become completed'],
    ['Error', 'Failed to update withdrawal'],
  ])
  shown.mockRestore()
})
