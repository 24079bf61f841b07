import { i18n } from '@lingui/core'
import { TransNoContext, type TransProps } from '@lingui/react/server'
import { messageOf } from '#lib/language.ts'
import type { Taken } from '#lib/message-id.ts'

interface MessageProps extends Omit<TransProps, 'message' | 'id'> {
  message: Taken
  id?: string
}

/**
 * The build compiles <Trans> to this: a message with elements in it. The language never changes, so no React context is
 * needed.
 */
export const Trans = ({ message, id, ...parts }: MessageProps) => (
  <TransNoContext {...(parts as TransProps)} {...messageOf(message, id)} lingui={{ i18n }} />
)
