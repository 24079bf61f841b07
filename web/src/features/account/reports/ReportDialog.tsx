import { t } from '@lingui/core/macro'
import { NativeSelect, Text } from '@mantine/core'
import { useState } from 'react'
import { ActionForm } from '#ui/ActionForm.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { useFocusReturn } from '#ui/use-focus-return.ts'
import { ReportFields, type Said } from './ReportFields.tsx'
import { type Reported, thankForReport, useReport } from './reports.ts'

interface ReportDialogProps {
  kind: Reported
  subject: string
  title: string
  /** Asks whether the report is about the person or their picture. */
  hasPicture?: boolean
  onClose: () => void
}

/** Reports something to staff, for people with an account. */
export function ReportDialog({ kind, subject, title, hasPicture = false, onClose }: ReportDialogProps) {
  const [said, setSaid] = useState<Said>({ claim: '', body: '' })
  const [about, setAbout] = useState(kind)
  const send = useReport(() => {
    onClose()
    thankForReport()
  })
  useFocusReturn()
  const { claim } = said
  const body = said.body.trim()
  return (
    <Dialog opened onClose={() => send.isPending || onClose()} title={title}>
      <ActionForm
        action={t`Send report`}
        busy={send.isPending}
        disabled={!body || !claim}
        onSubmit={() => body && claim && send.mutate({ kind: about, subject, claim, body })}
        onCancel={onClose}
      >
        <Text c="dimmed">
          {kind === 'plan'
            ? t`Our team looks into it. Whoever it is about isn’t told who reported it. To get money back, report a problem on the plan’s page instead.`
            : t`Our team looks into it and may read your chat. Whoever it is about isn’t told who reported it. To get money back, report a problem on the plan’s page instead.`}
        </Text>
        {hasPicture && (
          <NativeSelect
            label={t`What is it about?`}
            data={[
              { value: 'person', label: t`What they do or say` },
              { value: 'picture', label: t`Their picture` },
            ]}
            value={about}
            onChange={({ currentTarget }) =>
              setAbout(currentTarget.value === 'picture' ? 'picture' : 'person')
            }
          />
        )}
        <ReportFields {...said} onChange={setSaid} />
        <Text size="sm" c="dimmed">
          {t`By sending it you say that, as far as you know, it is right and complete.`}
        </Text>
      </ActionForm>
    </Dialog>
  )
}
