import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFlag } from '@tabler/icons-react'
import { Suspense } from 'react'
import { config } from '#lib/config.ts'
import { lazyPart } from '#lib/online.ts'
import { useSession } from '#lib/session.ts'
import { LinkButton } from '#ui/links.tsx'
import type { Reported } from './reports.ts'

const ReportDialog = lazyPart(async () => (await import('./ReportDialog.tsx')).ReportDialog)

interface ReportButtonProps {
  kind: Reported
  /** The id of what is reported; for a picture, that of the person. */
  subject: string
  /** The title of the dialog. */
  title: string
  /** The button's label, and its longer name for screen readers. */
  children: string
  label?: string
  hasPicture?: boolean
  /** Shows only a small flag, beside each of many things. */
  quiet?: boolean
}

/** Reports something to staff; without an account on a page of its own. Not shown on a site that takes no reports. */
export function ReportButton({
  kind,
  subject,
  title,
  children,
  label,
  hasPicture = false,
  quiet = false,
}: ReportButtonProps) {
  const { status } = useSession()
  const [opened, { open, close }] = useDisclosure()
  if (status === 'loading' || config().takesReports === false) return null
  const look = {
    variant: 'subtle',
    color: 'gray',
    leftSection: <IconFlag size={quiet ? 14 : 18} aria-hidden />,
    style: { alignSelf: 'flex-start' },
    ...(quiet && { size: 'compact-sm' }),
    ...(label !== undefined && { 'aria-label': label }),
  } as const
  // Visitors read no messages.
  if (status === 'signed-out' && kind !== 'message')
    return (
      <LinkButton to="/report" search={{ kind, id: subject }} {...look}>
        {children}
      </LinkButton>
    )
  return (
    <>
      <Button {...look} onClick={open}>
        {children}
      </Button>
      {opened && (
        <Suspense>
          <ReportDialog {...{ kind, subject, title, hasPicture }} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
