import { t } from '@lingui/core/macro'
import { Stack } from '@mantine/core'
import { ReportButton } from '#features/account/reports/ReportButton.tsx'
import { BlockedNotice } from '#features/people/blocks/BlockPerson.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'

/** The page of a person the reader has blocked: no details, only buttons to unblock and report. */
export function BlockedView(person: { userId: string; name: string }) {
  return (
    <Stack gap="xs">
      <PageTitle title={person.name} />
      <BlockedNotice {...person} />
      <ReportButton kind="person" subject={person.userId} title={t`Report ${person.name}`}>
        {t`Report ${person.name}`}
      </ReportButton>
    </Stack>
  )
}
