import { Stack } from '@mantine/core'
import { BlockedNotice } from '#features/people/blocks/BlockPerson.tsx'
import { ReportPerson } from '#features/people/reports/ReportPerson.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'

/** The page of somebody the reader has blocked: nothing about them, but the ways to unblock and report them. */
export function BlockedView(person: { userId: string; name: string }) {
  return (
    <Stack gap="xs">
      <PageTitle title={person.name} />
      <BlockedNotice {...person} />
      <ReportPerson {...person} />
    </Stack>
  )
}
