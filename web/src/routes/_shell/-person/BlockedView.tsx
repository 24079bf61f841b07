import { Stack } from '@mantine/core'
import { BlockedNotice } from '#features/people/blocks/BlockPerson.tsx'
import { ReportPerson } from '#features/people/reports/ReportPerson.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'

/** The page of a person the reader has blocked: no details, only buttons to unblock and report. */
export function BlockedView(person: { userId: string; name: string }) {
  return (
    <Stack gap="xs">
      <PageTitle title={person.name} />
      <BlockedNotice {...person} />
      <ReportPerson {...person} />
    </Stack>
  )
}
