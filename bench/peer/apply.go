package main

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	appsac "k8s.io/client-go/applyconfigurations/apps/v1"
	coreac "k8s.io/client-go/applyconfigurations/core/v1"
	metaac "k8s.io/client-go/applyconfigurations/meta/v1"
	rbacac "k8s.io/client-go/applyconfigurations/rbac/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// apply writes everything by Server-Side Apply, each time: the API server finds that nothing changes.
func (r *Reconciler) apply(ctx context.Context, feed *Feed) error {
	name, namespace, labels := nameOf(feed), feed.Namespace, labelsOf(feed)
	owner := metaac.OwnerReference().
		WithAPIVersion(groupVersion.String()).WithKind("Feed").WithName(feed.Name).WithUID(feed.UID).
		WithController(true).WithBlockOwnerDeletion(true)
	objects := []runtime.ApplyConfiguration{
		coreac.ServiceAccount(name, namespace).WithLabels(labels).WithOwnerReferences(owner),
		rbacac.Role(name, namespace).WithLabels(labels).WithOwnerReferences(owner).WithRules(rulesToApply(feed)...),
		rbacac.RoleBinding(name, namespace).WithLabels(labels).WithOwnerReferences(owner).
			WithRoleRef(rbacac.RoleRef().WithAPIGroup(rbacv1.GroupName).WithKind("Role").WithName(name)).
			WithSubjects(rbacac.Subject().WithKind("ServiceAccount").WithName(name).WithNamespace(namespace)),
		coreac.ConfigMap(name, namespace).WithLabels(labels).WithOwnerReferences(owner).
			WithData(map[string]string{"pipeline.yaml": feed.Spec.Document}),
		coreac.Service(name, namespace).WithLabels(labels).WithOwnerReferences(owner).
			WithSpec(coreac.ServiceSpec().WithClusterIP("None").WithPublishNotReadyAddresses(true).
				WithSelector(podsOf(feed)).
				WithPorts(coreac.ServicePort().WithName("grpc").WithPort(50051).WithProtocol(corev1.ProtocolTCP).
					WithTargetPort(intstr.FromString("grpc")))),
		appsac.StatefulSet(name, namespace).WithLabels(labels).WithOwnerReferences(owner).
			WithSpec(statefulSetToApply(feed, name)),
	}
	for _, object := range objects {
		if err := r.Client.Apply(ctx, object, client.FieldOwner(manager), client.ForceOwnership); err != nil {
			return err
		}
	}
	return nil
}

func rulesToApply(feed *Feed) []*rbacac.PolicyRuleApplyConfiguration {
	var rules []*rbacac.PolicyRuleApplyConfiguration
	for _, rule := range rulesOf(feed) {
		rules = append(rules, rbacac.PolicyRule().WithAPIGroups(rule.APIGroups...).WithResources(rule.Resources...).
			WithResourceNames(rule.ResourceNames...).WithVerbs(rule.Verbs...))
	}
	return rules
}

func statefulSetToApply(feed *Feed, name string) *appsac.StatefulSetSpecApplyConfiguration {
	probe := func(path string) *coreac.ProbeApplyConfiguration {
		return coreac.Probe().WithHTTPGet(coreac.HTTPGetAction().WithPath(path).WithPort(intstr.FromString("metrics")))
	}
	container := coreac.Container().WithName("coordinator").WithImage(feed.Spec.Image).
		WithCommand("urutau-coordinator").WithArgs("run", "--file", "/etc/urutau/pipeline.yaml").
		WithSecurityContext(coreac.SecurityContext().WithAllowPrivilegeEscalation(false).
			WithReadOnlyRootFilesystem(true).WithCapabilities(coreac.Capabilities().WithDrop("ALL"))).
		WithPorts(
			coreac.ContainerPort().WithName("grpc").WithContainerPort(50051).WithProtocol(corev1.ProtocolTCP),
			coreac.ContainerPort().WithName("metrics").WithContainerPort(9090).WithProtocol(corev1.ProtocolTCP)).
		WithStartupProbe(probe("/healthz").WithPeriodSeconds(10).WithFailureThreshold(60)).
		WithLivenessProbe(probe("/healthz")).
		WithReadinessProbe(probe("/readyz")).
		WithVolumeMounts(
			coreac.VolumeMount().WithName("config").WithMountPath("/etc/urutau").WithReadOnly(true),
			coreac.VolumeMount().WithName("tmp").WithMountPath("/tmp"))
	pod := coreac.PodSpec().WithServiceAccountName(name).WithTerminationGracePeriodSeconds(60).
		WithSecurityContext(coreac.PodSecurityContext().WithRunAsNonRoot(true).WithRunAsUser(65532).
			WithRunAsGroup(65532).WithFSGroup(65532).
			WithSeccompProfile(coreac.SeccompProfile().WithType(corev1.SeccompProfileTypeRuntimeDefault))).
		WithVolumes(
			coreac.Volume().WithName("config").WithConfigMap(coreac.ConfigMapVolumeSource().WithName(name)),
			coreac.Volume().WithName("tmp").WithEmptyDir(coreac.EmptyDirVolumeSource())).
		WithContainers(container)
	return appsac.StatefulSetSpec().WithReplicas(1).WithServiceName(name).
		WithPodManagementPolicy(appsv1.ParallelPodManagement).
		WithSelector(metaac.LabelSelector().WithMatchLabels(podsOf(feed))).
		WithTemplate(coreac.PodTemplateSpec().WithLabels(podsOf(feed)).WithSpec(pod))
}
