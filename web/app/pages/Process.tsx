import { PageHeader } from "~/layouts/PageHeader.tsx";

export function Component() {
  return <PageHeader title="Process" />;
}
