import { t } from '@lingui/core/macro'
import { VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconSpeakerphone } from '@tabler/icons-react'
import { ReportButton } from '#features/account/reports/ReportButton.tsx'
import { dateLocale } from '#lib/language.ts'
import classes from './ChatThread.module.css'
import { chatTexts } from './chat.messages.ts'
import { linkParts } from './links.ts'
import type { ChatMessage } from './messages.queries.ts'

const day = new Intl.DateTimeFormat(dateLocale, { weekday: 'long', day: 'numeric', month: 'long' })
const time = new Intl.DateTimeFormat(dateLocale, { hour: '2-digit', minute: '2-digit' })

interface MessageEntryProps {
  message: ChatMessage
  previous: ChatMessage | undefined
  own: boolean
  /** The name of the other person. */
  name: string
}

/** One message, below its date if it is the day's first. Shown as plain text with links. */
export function MessageEntry({ message, previous, own, name }: MessageEntryProps) {
  const startsDay = dayOf(message) !== dayOf(previous)
  return (
    <>
      {startsDay && <div className={classes.day}>{day.format(new Date(message.sentAt))}</div>}
      {message.kind === 'system' ? (
        <p className={classes.system}>{message.text}</p>
      ) : (
        <div className={classes.message} data-own={own || undefined} data-state={message.state}>
          <VisuallyHidden>{own ? t`You` : name}: </VisuallyHidden>
          {message.kind === 'announcement' && (
            <span className={classes.announcement}>
              <IconSpeakerphone size={14} aria-hidden /> {chatTexts.announcement}
            </span>
          )}
          <p className={classes.text} dir="auto">
            {message.isRemoved && <i>{t`Removed by our team`}</i>}
            {linkParts(message.isRemoved ? '' : message.text).map(({ at, text, href }) =>
              href ? (
                <a key={at} href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
                  {text}
                </a>
              ) : (
                text
              ),
            )}
          </p>
          <span className={classes.time}>
            <Delivery message={message} own={own} />
          </span>
          {!own && !message.isRemoved && (
            <ReportButton
              kind="message"
              subject={message.id}
              title={t`Report this message`}
              label={t`Report the message by ${name}, ${time.format(new Date(message.sentAt))}`}
              quiet
            >
              {t({ message: 'Report', context: 'button' })}
            </ReportButton>
          )}
        </div>
      )}
    </>
  )
}

/** The time of a message, and for the person's own messages their delivery state. */
function Delivery({ message, own }: { message: ChatMessage; own: boolean }) {
  if (message.state === 'sending') return chatTexts.sending
  if (message.state === 'failed')
    return (
      <>
        <IconAlertTriangle size={14} aria-hidden /> {chatTexts.notSent}
      </>
    )
  return (
    <>
      <time dateTime={message.sentAt}>{time.format(new Date(message.sentAt))}</time>
      {own && (
        <>
          <IconCheck size={14} aria-hidden />
          <VisuallyHidden>{chatTexts.delivered}</VisuallyHidden>
        </>
      )}
    </>
  )
}

function dayOf(message: ChatMessage | undefined): string {
  return message ? new Date(message.sentAt).toDateString() : ''
}
