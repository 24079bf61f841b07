import { Button, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { SectionCard } from '#ui/SectionCard.tsx'
import { useExportData } from './profiles.mutations.ts'

/** Lets a person download everything that is held on them. */
export function DataCard() {
  const collect = useExportData()
  return (
    <SectionCard titleId="data-title" title="Your data" align="flex-start">
      <Text c="dimmed">
        One file with everything held on you: profile, plans, requests, messages, coins. It is a JSON file,
        readable by people and programs.
      </Text>
      <Button
        variant="default"
        leftSection={<IconDownload size={18} />}
        loading={collect.isPending}
        onClick={() => collect.mutate()}
      >
        Download my data
      </Button>
    </SectionCard>
  )
}
