/* What the test uses of it; the package itself is installed when it runs. */
declare class Model {
  constructor(value: unknown);
  /** Throws when the value is not by the schema. */
  validate(): void;
}
declare module 'kubernetes-models/apps/v1' {
  export const Deployment: typeof Model;
}
declare module 'kubernetes-models/policy/v1' {
  export const PodDisruptionBudget: typeof Model;
}
declare module 'kubernetes-models/v1' {
  export const Service: typeof Model;
}
