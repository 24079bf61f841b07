import { t } from '@lingui/core/macro'
import { Button, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { SectionCard } from '#ui/SectionCard.tsx'
import { useExportData } from './profiles.mutations.ts'

/** Lets a person download all data about them. */
export function DataCard() {
  const collect = useExportData()
  return (
    <SectionCard
      titleId="data-title"
      title={t`Download`}
      gap="xs"
      aside={
        <Button
          variant="default"
          leftSection={<IconDownload size={18} />}
          loading={collect.isPending}
          onClick={() => collect.mutate()}
        >
          {t`Download my data`}
        </Button>
      }
    >
      <Text c="dimmed">{t`Everything we have about you, as a JSON file.`}</Text>
    </SectionCard>
  )
}
