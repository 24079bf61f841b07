import { Button, Stack, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { useExportData } from './profiles.mutations.ts'

/** Takes along everything held on oneself. */
export function DataCard() {
  const collect = useExportData()
  return (
    <SurfaceCard component="section" aria-labelledby="data-title">
      <Stack gap="md" align="flex-start">
        <Title order={2} id="data-title">
          Your data
        </Title>
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
      </Stack>
    </SurfaceCard>
  )
}
