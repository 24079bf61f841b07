import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFlag } from '@tabler/icons-react'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'
import { reportTexts } from './reports.messages.ts'
import { useReportPerson } from './reports.mutations.ts'

/** A button to report a person to staff. */
export function ReportPerson({ userId, name }: { userId: string; name: string }) {
  const [writing, { open, close }] = useDisclosure()
  const send = useReportPerson(userId, close)
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconFlag size={18} aria-hidden />}
        onClick={open}
        style={{ alignSelf: 'flex-start' }}
      >
        <Trans>Report {name}</Trans>
      </Button>
      {writing && (
        <ReasonDialog
          title={t`Report ${name}`}
          label={t`What happened?`}
          confirmLabel={t`Send report`}
          color="clay"
          busy={send.isPending}
          onConfirm={(reason) => send.mutate(reason)}
          onClose={close}
        >
          {reportTexts.what(name)}
        </ReasonDialog>
      )}
    </>
  )
}
